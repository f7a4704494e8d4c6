import { serveSecurityTxtRoute } from "@/server/transports/security-txt";

export { serveSecurityTxtRoute as GET, serveSecurityTxtRoute as HEAD };
