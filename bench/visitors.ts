import { call, load } from "./load";

/*
 * Loads the API reference and the sign-in page alternately until it is killed. A separate process, so that
 * reading pages does not delay the measurement. Arguments: port, connections.
 */

const [port, connections] = process.argv.slice(2).map(Number) as [number, number];
let turn = 0;
const next = () => call("GET", turn++ % 2 ? "/sign-in" : "/docs", {});
for (;;) {
  const { failures, failure } = await load({ port, connections, seconds: 1, next });
  if (failures > 0) throw new Error(`a page failed: ${failure?.slice(0, 300)}`);
}
