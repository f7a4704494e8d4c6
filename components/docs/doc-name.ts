export interface DocName {
  /** Relative to the documentation. */
  path: string;
  title: string;
  detail?: string;
  /** The title is English in every language. */
  english?: boolean;
}
