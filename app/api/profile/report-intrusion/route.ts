import { route } from "@/server/transports/rest/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/profile/report-intrusion");
