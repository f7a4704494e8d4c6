/** The `#anchor` is in the current address, because browsers keep it across redirects. */
export function getRequestedPath(next: string | null | undefined): string {
  const path = toLocalPath(next);
  return path.includes("#") ? path : path + window.location.hash;
}

export function getCurrentPath(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}

/** Returns `next` if it is a path of this application, else the dashboard: prevents open redirects. */
export function toLocalPath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : "/dashboard";
}
