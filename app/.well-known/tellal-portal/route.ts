import { portalProofRoute } from "@/server/transports/portal-proof";

export { portalProofRoute as GET, portalProofRoute as HEAD };
