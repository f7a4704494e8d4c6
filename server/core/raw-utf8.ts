/** Undecoded UTF-8, one character per byte: decoding and re-encoding costs more than the query. */
export class RawUtf8 {
  readonly isRawUtf8 = true;

  constructor(readonly latin1Text: string) {}

  /** Replaces `instanceof`: the pages' bundle has its own copy of this class. */
  static is(value: unknown): value is RawUtf8 {
    return typeof value === "object" && value !== null && (value as Partial<RawUtf8>).isRawUtf8 === true;
  }

  get length(): number {
    return this.latin1Text.length;
  }

  get buffer(): Buffer<ArrayBuffer> {
    return Buffer.from(this.latin1Text, "latin1");
  }

  get text(): string {
    return this.buffer.toString();
  }
}
