import {a} from "./e3.mjs"
