import { mediaRoute } from "@/server/transports/media";

export { mediaRoute as DELETE, mediaRoute as GET, mediaRoute as HEAD, mediaRoute as POST, mediaRoute as PUT };
