/* The promise of binary compatibility on Windows: what loop/abi.c is for the other systems.
 *
 * The numbers are those of libuv 1.52's headers, compiled for x86_64-windows-gnu. There is no code here. */
#include "loop/abi.h"

ABI_SIZE(uv_loop_t, 472, 8);
ABI_SIZE(uv_handle_t, 96, 8);
ABI_SIZE(uv_dir_t, 656, 8);
ABI_SIZE(uv_stream_t, 272, 8);
ABI_SIZE(uv_tcp_t, 320, 8);
ABI_SIZE(uv_udp_t, 424, 8);
ABI_SIZE(uv_pipe_t, 576, 8);
ABI_SIZE(uv_tty_t, 344, 8);
ABI_SIZE(uv_poll_t, 416, 8);
ABI_SIZE(uv_timer_t, 160, 8);
ABI_SIZE(uv_prepare_t, 120, 8);
ABI_SIZE(uv_check_t, 120, 8);
ABI_SIZE(uv_idle_t, 120, 8);
ABI_SIZE(uv_async_t, 224, 8);
ABI_SIZE(uv_process_t, 264, 8);
ABI_SIZE(uv_fs_event_t, 272, 8);
ABI_SIZE(uv_fs_poll_t, 104, 8);
ABI_SIZE(uv_signal_t, 264, 8);
ABI_SIZE(uv_req_t, 112, 8);
ABI_SIZE(uv_getaddrinfo_t, 216, 8);
ABI_SIZE(uv_getnameinfo_t, 1368, 8);
ABI_SIZE(uv_shutdown_t, 128, 8);
ABI_SIZE(uv_write_t, 176, 8);
ABI_SIZE(uv_connect_t, 128, 8);
ABI_SIZE(uv_udp_send_t, 128, 8);
ABI_SIZE(uv_fs_t, 456, 8);
ABI_SIZE(uv_work_t, 176, 8);
ABI_SIZE(uv_random_t, 192, 8);
ABI_SIZE(uv_env_item_t, 16, 8);
ABI_SIZE(uv_cpu_info_t, 56, 8);
ABI_SIZE(uv_interface_address_t, 80, 8);
ABI_SIZE(uv_dirent_t, 16, 8);
ABI_SIZE(uv_passwd_t, 32, 8);
ABI_SIZE(uv_utsname_t, 1024, 1);
ABI_SIZE(uv_statfs_t, 88, 8);
ABI_SIZE(uv_stat_t, 128, 8);
ABI_SIZE(uv_timespec_t, 8, 4);
ABI_SIZE(uv_timeval_t, 8, 4);
ABI_SIZE(uv_timeval64_t, 16, 8);
ABI_SIZE(uv_rusage_t, 128, 8);
ABI_SIZE(uv_buf_t, 16, 8);
ABI_SIZE(uv_process_options_t, 64, 8);
ABI_SIZE(uv_stdio_container_t, 16, 8);
ABI_SIZE(uv_thread_options_t, 16, 8);
ABI_SIZE(uv_lib_t, 16, 8);
ABI_SIZE(uv_mutex_t, 40, 8);
ABI_SIZE(uv_rwlock_t, 80, 8);
ABI_SIZE(uv_sem_t, 8, 8);
ABI_SIZE(uv_cond_t, 64, 8);
ABI_SIZE(uv_key_t, 4, 4);
ABI_SIZE(uv_barrier_t, 64, 8);
ABI_SIZE(uv_once_t, 16, 8);
ABI_SIZE(uv_thread_t, 8, 8);
ABI_SIZE(uv_file, 4, 4);
ABI_SIZE(uv_os_sock_t, 8, 8);
ABI_SIZE(uv_os_fd_t, 8, 8);
ABI_SIZE(uv_pid_t, 4, 4);
ABI_SIZE(uv_gid_t, 1, 1);
ABI_SIZE(uv_uid_t, 1, 1);
ABI_SIZE(uv_metrics_t, 128, 8);
ABI_SIZE(uv_group_t, 24, 8);
ABI_SIZE(uv_timespec64_t, 16, 8);

ABI_OFFSET(uv_loop_t, data, 0);
ABI_OFFSET(uv_loop_t, active_handles, 8);
ABI_OFFSET(uv_loop_t, active_reqs, 32);
ABI_OFFSET(uv_loop_t, internal_fields, 40);
ABI_OFFSET(uv_loop_t, stop_flag, 48);

ABI_OFFSET(uv_handle_t, data, 0);
ABI_OFFSET(uv_handle_t, loop, 8);
ABI_OFFSET(uv_handle_t, type, 16);
ABI_OFFSET(uv_handle_t, close_cb, 24);
ABI_OFFSET(uv_handle_t, flags, 88);

ABI_OFFSET(uv_stream_t, write_queue_size, 96);
ABI_OFFSET(uv_stream_t, alloc_cb, 104);
ABI_OFFSET(uv_stream_t, read_cb, 112);

ABI_OFFSET(uv_udp_t, send_queue_size, 96);
ABI_OFFSET(uv_udp_t, send_queue_count, 104);

ABI_OFFSET(uv_pipe_t, ipc, 272);

ABI_OFFSET(uv_process_t, exit_cb, 96);
ABI_OFFSET(uv_process_t, pid, 104);

ABI_OFFSET(uv_signal_t, signal_cb, 96);
ABI_OFFSET(uv_signal_t, signum, 104);

ABI_OFFSET(uv_timer_t, data, 0);
ABI_OFFSET(uv_timer_t, loop, 8);
ABI_OFFSET(uv_timer_t, type, 16);

ABI_OFFSET(uv_tcp_t, data, 0);
ABI_OFFSET(uv_tcp_t, loop, 8);
ABI_OFFSET(uv_tcp_t, type, 16);
ABI_OFFSET(uv_tcp_t, write_queue_size, 96);
ABI_OFFSET(uv_tcp_t, alloc_cb, 104);
ABI_OFFSET(uv_tcp_t, read_cb, 112);

ABI_OFFSET(uv_req_t, data, 0);
ABI_OFFSET(uv_req_t, type, 8);

ABI_OFFSET(uv_write_t, data, 0);
ABI_OFFSET(uv_write_t, type, 8);
ABI_OFFSET(uv_write_t, cb, 112);
ABI_OFFSET(uv_write_t, send_handle, 120);
ABI_OFFSET(uv_write_t, handle, 128);

ABI_OFFSET(uv_connect_t, data, 0);
ABI_OFFSET(uv_connect_t, type, 8);
ABI_OFFSET(uv_connect_t, cb, 112);
ABI_OFFSET(uv_connect_t, handle, 120);

ABI_OFFSET(uv_shutdown_t, data, 0);
ABI_OFFSET(uv_shutdown_t, type, 8);
ABI_OFFSET(uv_shutdown_t, handle, 112);
ABI_OFFSET(uv_shutdown_t, cb, 120);

ABI_OFFSET(uv_udp_send_t, data, 0);
ABI_OFFSET(uv_udp_send_t, type, 8);
ABI_OFFSET(uv_udp_send_t, handle, 112);
ABI_OFFSET(uv_udp_send_t, cb, 120);

ABI_OFFSET(uv_getaddrinfo_t, data, 0);
ABI_OFFSET(uv_getaddrinfo_t, type, 8);
ABI_OFFSET(uv_getaddrinfo_t, loop, 112);
ABI_OFFSET(uv_getaddrinfo_t, addrinfo, 200);

ABI_OFFSET(uv_getnameinfo_t, data, 0);
ABI_OFFSET(uv_getnameinfo_t, type, 8);
ABI_OFFSET(uv_getnameinfo_t, loop, 112);
ABI_OFFSET(uv_getnameinfo_t, host, 300);
ABI_OFFSET(uv_getnameinfo_t, service, 1325);

ABI_OFFSET(uv_work_t, data, 0);
ABI_OFFSET(uv_work_t, type, 8);
ABI_OFFSET(uv_work_t, loop, 112);
ABI_OFFSET(uv_work_t, work_cb, 120);
ABI_OFFSET(uv_work_t, after_work_cb, 128);

ABI_OFFSET(uv_random_t, data, 0);
ABI_OFFSET(uv_random_t, type, 8);
ABI_OFFSET(uv_random_t, loop, 112);

ABI_OFFSET(uv_fs_t, data, 0);
ABI_OFFSET(uv_fs_t, type, 8);
ABI_OFFSET(uv_fs_t, fs_type, 112);
ABI_OFFSET(uv_fs_t, loop, 120);
ABI_OFFSET(uv_fs_t, cb, 128);
ABI_OFFSET(uv_fs_t, result, 136);
ABI_OFFSET(uv_fs_t, ptr, 144);
ABI_OFFSET(uv_fs_t, path, 152);
ABI_OFFSET(uv_fs_t, statbuf, 160);

ABI_OFFSET(uv_dir_t, dirents, 0);
ABI_OFFSET(uv_dir_t, nentries, 8);
ABI_OFFSET(uv_dir_t, reserved, 16);

ABI_OFFSET(uv_dirent_t, name, 0);
ABI_OFFSET(uv_dirent_t, type, 8);

ABI_OFFSET(uv_env_item_t, name, 0);
ABI_OFFSET(uv_env_item_t, value, 8);

ABI_OFFSET(uv_cpu_info_t, model, 0);
ABI_OFFSET(uv_cpu_info_t, speed, 8);
ABI_OFFSET(uv_cpu_info_t, cpu_times, 16);

ABI_OFFSET(uv_interface_address_t, name, 0);
ABI_OFFSET(uv_interface_address_t, phys_addr, 8);
ABI_OFFSET(uv_interface_address_t, is_internal, 16);
ABI_OFFSET(uv_interface_address_t, address, 20);
ABI_OFFSET(uv_interface_address_t, netmask, 48);

ABI_OFFSET(uv_passwd_t, username, 0);
ABI_OFFSET(uv_passwd_t, uid, 8);
ABI_OFFSET(uv_passwd_t, gid, 12);
ABI_OFFSET(uv_passwd_t, shell, 16);
ABI_OFFSET(uv_passwd_t, homedir, 24);

ABI_OFFSET(uv_buf_t, base, 8);
ABI_OFFSET(uv_buf_t, len, 0);

ABI_OFFSET(uv_process_options_t, exit_cb, 0);
ABI_OFFSET(uv_process_options_t, file, 8);
ABI_OFFSET(uv_process_options_t, args, 16);
ABI_OFFSET(uv_process_options_t, env, 24);
ABI_OFFSET(uv_process_options_t, cwd, 32);
ABI_OFFSET(uv_process_options_t, flags, 40);
ABI_OFFSET(uv_process_options_t, stdio_count, 44);
ABI_OFFSET(uv_process_options_t, stdio, 48);
ABI_OFFSET(uv_process_options_t, uid, 56);
ABI_OFFSET(uv_process_options_t, gid, 57);

ABI_OFFSET(uv_stdio_container_t, flags, 0);
ABI_OFFSET(uv_stdio_container_t, data, 8);

ABI_OFFSET(uv_thread_options_t, flags, 0);
ABI_OFFSET(uv_thread_options_t, stack_size, 8);

ABI_OFFSET(uv_group_t, groupname, 0);
ABI_OFFSET(uv_group_t, gid, 8);
ABI_OFFSET(uv_group_t, members, 16);

ABI_OFFSET(uv_lib_t, handle, 0);
ABI_OFFSET(uv_lib_t, errmsg, 8);

ABI_OFFSET(uv_tcp_t, socket, 272);

ABI_OFFSET(uv_pipe_t, handle, 280);

/* Constants that differ from those of Unix. */
_Static_assert(UV_EOF == -4095 && UV_EACCES == -4092 && UV_EINVAL == -4071 && UV_ENOSYS == -4054, "errors");
_Static_assert(UV_FS_O_FILEMAP == 0x20000000 && UV_FS_O_CREAT == 0x0100 && UV_FS_O_EXLOCK == 0x10000000,
               "flags of files");
_Static_assert(SIGHUP == 1 && SIGQUIT == 3 && SIGKILL == 9 && SIGWINCH == 28 && NSIG == 29, "signals");
_Static_assert(UV_ACCEPT == 11 && UV_REQ_TYPE_MAX == 19, "kinds of requests");
