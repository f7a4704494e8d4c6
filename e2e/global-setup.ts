import { ServerProcess } from "./server-process";

/** One production server in demo mode for all journeys, on a data directory of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await ServerProcess.create();
  await server.start();
  process.env.E2E_URL = server.url;
  return () => server.dispose();
}
