import { AsyncLocalStorage } from "node:async_hooks";

/** Value for all work in `run`. Promise hooks slow every promise down, so they end with the last run. */
export class AsyncContext<Value> {
  private readonly storage = new AsyncLocalStorage<Value>();
  private runningCount = 0;

  get(): Value | undefined {
    return this.storage.getStore();
  }

  async run<T>(value: Value, work: () => Promise<T>): Promise<T> {
    this.runningCount++;
    try {
      return await this.storage.run(value, work);
    } finally {
      if (--this.runningCount === 0) this.storage.disable();
    }
  }
}
