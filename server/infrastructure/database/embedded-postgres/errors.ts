/** The database cannot be used. The message is for the operator. */
export class DatabaseStartError extends Error {
  override name = "DatabaseStartError";
}

export function toDatabaseStartError(error: unknown, dir: string): unknown {
  switch ((error as NodeJS.ErrnoException)?.code) {
    case "ENOSPC":
    case "EDQUOT":
      return createDiskFullError(dir);
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

export function createDiskFullError(dir: string): DatabaseStartError {
  return new DatabaseStartError(
    `The disk that holds ${dir} is full; free some space and start again, nothing was lost.`,
  );
}
