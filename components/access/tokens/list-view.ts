import { createListParsers } from "@/components/api/list-parsers";

export const keyListParsers = createListParsers(["-created_at"], "-created_at");
