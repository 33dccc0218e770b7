import { serveJobs } from "../../pool/job-worker.ts";
import { type AnalysisJob, type AnalysisSpec, createAnalyzer, type RecordingAnalysis } from "./analysis.ts";

/** The worker process that analyzes recordings of speakers. */
serveJobs<AnalysisSpec, AnalysisJob, RecordingAnalysis | Float32Array>(5, createAnalyzer);
