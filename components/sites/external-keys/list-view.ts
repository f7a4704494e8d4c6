import { listParsers } from "@/components/api/list-address";

/** URL parameters of the list of site keys, for server and browser. */
export const siteKeyParsers = listParsers(["-created_at"], "-created_at");
