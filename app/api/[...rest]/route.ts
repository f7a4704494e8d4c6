/** Serves operations without a route file and the JSON 404. Route files do the same (docs/decisions/0002). */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/server/transports/rest/route";
