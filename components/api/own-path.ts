/**
 * Returns the page that was requested before sign-in. Browsers keep the `#anchor` of an address over redirects, so it is in the
 * address of the current page.
 */
export function wantedPath(next: string | null | undefined): string {
  const path = ownPath(next);
  return path.includes("#") ? path : path + window.location.hash;
}

/** Returns this page with everything in its address. */
export function thisPath(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}

/** Returns a path of this application; any other address becomes the dashboard. */
export function ownPath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : "/dashboard";
}
