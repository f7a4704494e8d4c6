import { AsyncLocalStorage } from "node:async_hooks";

/**
 * A value for the work under way, however deep it is looked for. While such a value is in use, Node.js notes the birth
 * of every promise in the process: so it is let go of when the last work with one has ended.
 */
export class Ambient<Value> {
  private readonly storage = new AsyncLocalStorage<Value>();
  private running = 0;

  /** The value that the present work was started with. */
  get(): Value | undefined {
    return this.storage.getStore();
  }

  async run<T>(value: Value, work: () => Promise<T>): Promise<T> {
    this.running++;
    try {
      return await this.storage.run(value, work);
    } finally {
      if (--this.running === 0) this.storage.disable();
    }
  }
}
