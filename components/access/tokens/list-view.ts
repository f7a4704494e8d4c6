import { listParsers } from "@/components/api/list-parsers";

export const keyParsers = listParsers(["-created_at"], "-created_at");
