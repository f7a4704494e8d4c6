import { route } from "@/server/transports/rest/route";

/** Every other path below /api: the documented JSON 404 instead of a page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/{rest}");
