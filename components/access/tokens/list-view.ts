import { listParsers } from "@/components/api/list-address";

/** URL parameters of the list, shared by server and browser. */
export const keyParsers = listParsers(["-created_at"], "-created_at");
