/** Operations without a route file, and the JSON 404. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/server/transports/rest/route";
