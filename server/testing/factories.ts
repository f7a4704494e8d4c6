export * from "@/server/demo/makers";
