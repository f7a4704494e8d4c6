import { AsyncLocalStorage } from "node:async_hooks";

/** Context of asynchronous work. Its promise hooks slow every promise down: disabled after the last user. */
export class Ambient<Value> {
  private readonly storage = new AsyncLocalStorage<Value>();
  private running = 0;

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
