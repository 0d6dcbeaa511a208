"""What is kept on disk: files that are written whole or not at all, and model folders."""

from cepts.storage.atomic import atomic_writer, check_writable, together
from cepts.storage.folder import ModelFolder, check_folder_writable, describe_folder, load_folder, save_folder

__all__ = [
    "ModelFolder",
    "atomic_writer",
    "check_folder_writable",
    "check_writable",
    "describe_folder",
    "load_folder",
    "save_folder",
    "together",
]
