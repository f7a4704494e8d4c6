import { securityTxtRoute } from "@/server/transports/security-txt";

export { securityTxtRoute as GET, securityTxtRoute as HEAD };
