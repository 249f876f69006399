"""The worker process that calls the submission, and the supervisor that watches it."""
