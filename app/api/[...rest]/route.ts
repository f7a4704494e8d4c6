/** Every other path below /api: operations without a file of their own, and the documented JSON 404. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/server/transports/rest/route";
