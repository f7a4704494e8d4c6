export { ListSkeleton as default } from "@/components/shell/page-skeleton";
