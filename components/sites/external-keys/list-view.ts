import { createListParsers } from "@/components/api/list-parsers";

export const siteKeyParsers = createListParsers(["-created_at"], "-created_at");
