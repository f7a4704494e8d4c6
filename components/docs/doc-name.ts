export interface DocName {
  /** Relative to the documentation. */
  path: string;
  title: string;
  detail?: string;
  /** In English regardless of the reader's language. */
  english?: boolean;
}
