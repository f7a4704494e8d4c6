import { listParsers } from "@/components/api/list-address";

export const keyParsers = listParsers(["-created_at"], "-created_at");
