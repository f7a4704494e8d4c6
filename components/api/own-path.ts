/** A path of this application; an address of anyone else becomes the dashboard. */
export function ownPath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : "/dashboard";
}
