import { listParsers } from "@/components/api/list-parsers";

export const siteKeyParsers = listParsers(["-created_at"], "-created_at");
