import { call, load } from "./load";

/*
 * Loads the API reference and the sign-in page, in turns, from a number of connections until it is ended: a process of its
 * own, since whoever takes in pages is not to delay what is measured beside it. Arguments: port, connections.
 */

const [port, connections] = process.argv.slice(2).map(Number) as [number, number];
let turn = 0;
const next = () => call("GET", turn++ % 2 ? "/sign-in" : "/docs", {});
for (;;) {
  const { failures, failure } = await load({ port, connections, seconds: 1, next });
  if (failures > 0) throw new Error(`a page failed: ${failure?.slice(0, 300)}`);
}
