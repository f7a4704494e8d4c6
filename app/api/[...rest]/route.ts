/**
 * Serves operations without a route file, and the JSON 404. Paths of the specification have a file each, so
 * that readers find them; those files do the same as this one (docs/decisions/0002).
 */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/server/transports/rest/route";
