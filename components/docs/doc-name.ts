export interface DocName {
  /** Path relative to the documentation. */
  path: string;
  title: string;
  detail?: string;
  /** The title is English in every language. */
  english?: boolean;
}
