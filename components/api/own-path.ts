/** Returns a path of this application; any other address becomes the dashboard. */
export function ownPath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : "/dashboard";
}
