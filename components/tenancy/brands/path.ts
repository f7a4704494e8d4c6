/** The path of a picture of ours: pages load from their own host alone, whichever that is. */
export function pathOfPicture(url: string | null | undefined): string | null {
  return url ? new URL(url).pathname : null;
}
