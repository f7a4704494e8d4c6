import { serveMediaRoute } from "@/server/transports/media";

export {
  serveMediaRoute as DELETE,
  serveMediaRoute as GET,
  serveMediaRoute as HEAD,
  serveMediaRoute as POST,
  serveMediaRoute as PUT,
};
