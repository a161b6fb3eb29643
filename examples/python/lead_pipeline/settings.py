"""Settings come from environment variables."""

import os
import sys


def setting(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if not value:
        sys.exit(f"Set the environment variable {name}.")
    return value
