import { listParsers } from "@/components/api/list-address";

/** The list of site keys as the address describes it; the same on the server and in the browser. */
export const siteKeyParsers = listParsers(["-created_at"], "-created_at");
