/** A guide, a topic or an operation of the documentation. */
export interface DocName {
  /** Below where the documentation is. */
  path: string;
  title: string;
  /** What else tells it from others. */
  detail?: string;
  /** It is in English whatever the reader's language is. */
  english?: boolean;
}
