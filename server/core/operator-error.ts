import { dirname } from "node:path";

/** Error that an operator can fix. Commands print its message without a stack. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** Converts a file-system error into an {@link OperatorError}; returns other errors unchanged. */
export function toOperatorError(error: unknown, path: string, access: "read" | "write"): unknown {
  const sentence = describePathError((error as NodeJS.ErrnoException)?.code, path, access);
  return sentence ? new OperatorError(sentence, { cause: error }) : error;
}

function describePathError(
  code: string | undefined,
  path: string,
  access: "read" | "write",
): string | undefined {
  switch (code) {
    case "ENOENT":
      return access === "read" ? `${path} does not exist.` : `The folder ${dirname(path)} does not exist.`;
    case "ENOTDIR":
      return `${dirname(path)} is not a folder.`;
    case "EISDIR":
      return `${path} is a folder; name a file.`;
    case "EACCES":
    case "EPERM":
      return access === "read"
        ? `${path} cannot be read by this user.`
        : `${path} cannot be written by this user; name another place.`;
    case "EROFS":
      return `${path} is on a file system that cannot be written to; name another place.`;
    case "ENOSPC":
    case "EDQUOT":
      return `The disk that holds ${dirname(path)} is full; free some space and try again.`;
    default:
      return undefined;
  }
}
