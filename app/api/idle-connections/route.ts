export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/server/transports/rest/route";
