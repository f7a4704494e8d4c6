/** Entry of the documentation: a guide, a topic or an operation. */
export interface DocName {
  /** Relative to the documentation. */
  path: string;
  title: string;
  /** Distinguishes entries with the same title. */
  detail?: string;
  /** In English regardless of the reader's language. */
  english?: boolean;
}
