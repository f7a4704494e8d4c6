import { servePortalProofRoute } from "@/server/transports/portal-proof";

export { servePortalProofRoute as GET, servePortalProofRoute as HEAD };
