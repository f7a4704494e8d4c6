import { listParsers } from "@/components/api/list-address";

export const siteKeyParsers = listParsers(["-created_at"], "-created_at");
