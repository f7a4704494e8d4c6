/** The embedded database cannot start; the message is one sentence for the person who starts the server. */
export class DatabaseStartError extends Error {
  override name = "DatabaseStartError";
}

/** Turns an error of the file system into a sentence that names the directory; other errors pass through. */
export function fileError(error: unknown, dir: string): unknown {
  switch ((error as NodeJS.ErrnoException)?.code) {
    case "ENOSPC":
    case "EDQUOT":
      return diskFull(dir);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new DatabaseStartError(
        `The data directory ${dir} cannot be written to by this user; give it the rights or set DATA_DIR.`,
      );
    case "ENOTDIR":
    case "EEXIST":
      return new DatabaseStartError(
        `The data directory ${dir} is not a directory; set DATA_DIR to another place.`,
      );
    default:
      return error;
  }
}

export function diskFull(dir: string): DatabaseStartError {
  return new DatabaseStartError(
    `The disk that holds ${dir} is full; free some space and start again, nothing was lost.`,
  );
}
