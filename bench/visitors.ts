import { buildRequest, runLoad } from "./load";

/* Loads two pages alternately until killed, in its own process. Arguments: port, connections. */

const [port, connections] = process.argv.slice(2).map(Number) as [number, number];
let turn = 0;
const nextRequest = () => buildRequest("GET", turn++ % 2 ? "/sign-in" : "/docs", {});
for (;;) {
  const { failureCount, firstFailure } = await runLoad({
    port,
    connections,
    seconds: 1,
    nextRequest,
  });
  if (failureCount > 0) throw new Error(`a page failed: ${firstFailure?.slice(0, 300)}`);
}
