/* The promise of binary compatibility: programs compiled with libuv's headers run on this library.
 *
 * Every size, alignment and public offset of libuv 1.52 on the 64-bit systems, asserted; there is no code here. Those
 * of 32 bits are in loop/abi32.c. Private parts may be rearranged freely, as long as both files compile. They are C and
 * C++, and the tests compile them as both. */
#include "loop/abi.h"

#if UINTPTR_MAX > UINT32_MAX

/* What differs by system, processor and C library. kqueue's loops keep two counters with each watched descriptor, macOS
 * also what FSEvents needs; the types of pthreads differ; so does how long the name of a host may be. */
#if defined(__APPLE__)
#define ABI_LOOP_SIZE 1072
#define ABI_WATCHER 8
#define ABI_STREAM 16
#define ABI_TTY_SIZE 344
#define ABI_FS_EVENT_SIZE 304
#define ABI_MUTEX_SIZE 64
#define ABI_RWLOCK_SIZE 200
#define ABI_SEM_SIZE 4
#define ABI_SEM_ALIGN 4
#define ABI_COND_SIZE 48
#define ABI_KEY_SIZE 8
#define ABI_BARRIER_SIZE 8
#define ABI_ONCE_SIZE 16
#define ABI_ONCE_ALIGN 8
#define ABI_GETNAMEINFO_SIZE 1320
#define ABI_HOST_MAX 1025
#define ABI_STORAGE 128
#elif defined(__linux__)
#if defined(__aarch64__) && defined(__GLIBC__)
#define ABI_MUTEX_SIZE 48
#else
#define ABI_MUTEX_SIZE 40
#endif
#define ABI_LOOP_SIZE (808 + ABI_MUTEX_SIZE)
#define ABI_WATCHER 0
#define ABI_STREAM 0
#define ABI_TTY_SIZE 312
#define ABI_FS_EVENT_SIZE 136
#define ABI_RWLOCK_SIZE 56
#define ABI_SEM_SIZE 32
#define ABI_COND_SIZE 48
#define ABI_KEY_SIZE 4
#define ABI_BARRIER_SIZE 32
#define ABI_ONCE_SIZE 4
#define ABI_ONCE_ALIGN 4
#define ABI_STORAGE 128
#ifdef __GLIBC__
#define ABI_SEM_ALIGN 8
#define ABI_HOST_MAX 1025
#define ABI_GETNAMEINFO_SIZE 1320
#else
#define ABI_SEM_ALIGN 4
#define ABI_HOST_MAX 255
#define ABI_GETNAMEINFO_SIZE 544
#endif
#else
#define ABI_WATCHER 8
#define ABI_STREAM 8
#define ABI_TTY_SIZE 304
#define ABI_FS_EVENT_SIZE 176
#define ABI_KEY_SIZE 4
#define ABI_ONCE_ALIGN 8
#if defined(__NetBSD__)
#define ABI_LOOP_SIZE 808
#define ABI_MUTEX_SIZE 48
#define ABI_RWLOCK_SIZE 64
#define ABI_SEM_SIZE 8
#define ABI_SEM_ALIGN 8
#define ABI_COND_SIZE 40
#define ABI_BARRIER_SIZE 48
#define ABI_ONCE_SIZE 56
#else
#define ABI_LOOP_SIZE 712
#define ABI_MUTEX_SIZE 8
#define ABI_RWLOCK_SIZE 8
#define ABI_COND_SIZE 8
#define ABI_BARRIER_SIZE 8
#define ABI_ONCE_SIZE 16
#ifdef __FreeBSD__
#define ABI_SEM_SIZE 16
#define ABI_SEM_ALIGN 4
#else
#define ABI_SEM_SIZE 8
#define ABI_SEM_ALIGN 8
#endif
#endif
#ifdef __OpenBSD__
#define ABI_HOST_MAX 256
#define ABI_GETNAMEINFO_SIZE 672
#define ABI_STORAGE 256
#else
#define ABI_HOST_MAX 1025
#define ABI_GETNAMEINFO_SIZE 1320
#define ABI_STORAGE 128
#endif
#endif

ABI_SIZE(uv_loop_t, ABI_LOOP_SIZE, 8);
ABI_SIZE(uv_handle_t, 96, 8);
ABI_SIZE(uv_dir_t, 56, 8);
ABI_SIZE(uv_stream_t, 248 + ABI_STREAM, 8);
ABI_SIZE(uv_tcp_t, 248 + ABI_STREAM, 8);
ABI_SIZE(uv_udp_t, 216 + ABI_WATCHER, 8);
ABI_SIZE(uv_pipe_t, 264 + ABI_STREAM, 8);
ABI_SIZE(uv_tty_t, ABI_TTY_SIZE, 8);
ABI_SIZE(uv_poll_t, 160 + ABI_WATCHER, 8);
ABI_SIZE(uv_timer_t, 152, 8);
ABI_SIZE(uv_prepare_t, 120, 8);
ABI_SIZE(uv_check_t, 120, 8);
ABI_SIZE(uv_idle_t, 120, 8);
ABI_SIZE(uv_async_t, 128, 8);
ABI_SIZE(uv_process_t, 136, 8);
ABI_SIZE(uv_fs_event_t, ABI_FS_EVENT_SIZE, 8);
ABI_SIZE(uv_fs_poll_t, 104, 8);
ABI_SIZE(uv_signal_t, 152, 8);
ABI_SIZE(uv_req_t, 64, 8);
ABI_SIZE(uv_getaddrinfo_t, 160, 8);
ABI_SIZE(uv_getnameinfo_t, ABI_GETNAMEINFO_SIZE, 8);
ABI_SIZE(uv_shutdown_t, 80, 8);
ABI_SIZE(uv_write_t, 192, 8);
ABI_SIZE(uv_connect_t, 96, 8);
ABI_SIZE(uv_udp_send_t, 192 + ABI_STORAGE, 8);
ABI_SIZE(uv_fs_t, 440, 8);
ABI_SIZE(uv_work_t, 128, 8);
ABI_SIZE(uv_random_t, 144, 8);
ABI_SIZE(uv_env_item_t, 16, 8);
ABI_SIZE(uv_cpu_info_t, 56, 8);
ABI_SIZE(uv_interface_address_t, 80, 8);
ABI_SIZE(uv_dirent_t, 16, 8);
ABI_SIZE(uv_passwd_t, 40, 8);
ABI_SIZE(uv_utsname_t, 1024, 1);
ABI_SIZE(uv_statfs_t, 88, 8);
ABI_SIZE(uv_stat_t, 160, 8);
ABI_SIZE(uv_timespec_t, 16, 8);
ABI_SIZE(uv_timeval_t, 16, 8);
ABI_SIZE(uv_timeval64_t, 16, 8);
ABI_SIZE(uv_rusage_t, 144, 8);
ABI_SIZE(uv_buf_t, 16, 8);
ABI_SIZE(uv_process_options_t, 64, 8);
ABI_SIZE(uv_stdio_container_t, 16, 8);
ABI_SIZE(uv_thread_options_t, 16, 8);
ABI_SIZE(uv_lib_t, 16, 8);
ABI_SIZE(uv_mutex_t, ABI_MUTEX_SIZE, 8);
ABI_SIZE(uv_rwlock_t, ABI_RWLOCK_SIZE, 8);
ABI_SIZE(uv_sem_t, ABI_SEM_SIZE, ABI_SEM_ALIGN);
ABI_SIZE(uv_cond_t, ABI_COND_SIZE, 8);
ABI_SIZE(uv_key_t, ABI_KEY_SIZE, ABI_KEY_SIZE);
ABI_SIZE(uv_barrier_t, ABI_BARRIER_SIZE, 8);
ABI_SIZE(uv_once_t, ABI_ONCE_SIZE, ABI_ONCE_ALIGN);
ABI_SIZE(uv_thread_t, 8, 8);
ABI_SIZE(uv_file, 4, 4);
ABI_SIZE(uv_os_sock_t, 4, 4);
ABI_SIZE(uv_os_fd_t, 4, 4);
ABI_SIZE(uv_pid_t, 4, 4);
ABI_SIZE(uv_gid_t, 4, 4);
ABI_SIZE(uv_uid_t, 4, 4);
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

ABI_OFFSET(uv_pipe_t, ipc, 248 + ABI_STREAM);

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
ABI_OFFSET(uv_write_t, cb, 64);
ABI_OFFSET(uv_write_t, send_handle, 72);
ABI_OFFSET(uv_write_t, handle, 80);

ABI_OFFSET(uv_connect_t, data, 0);
ABI_OFFSET(uv_connect_t, type, 8);
ABI_OFFSET(uv_connect_t, cb, 64);
ABI_OFFSET(uv_connect_t, handle, 72);

ABI_OFFSET(uv_shutdown_t, data, 0);
ABI_OFFSET(uv_shutdown_t, type, 8);
ABI_OFFSET(uv_shutdown_t, handle, 64);
ABI_OFFSET(uv_shutdown_t, cb, 72);

ABI_OFFSET(uv_udp_send_t, data, 0);
ABI_OFFSET(uv_udp_send_t, type, 8);
ABI_OFFSET(uv_udp_send_t, handle, 64);
ABI_OFFSET(uv_udp_send_t, cb, 72);

ABI_OFFSET(uv_getaddrinfo_t, data, 0);
ABI_OFFSET(uv_getaddrinfo_t, type, 8);
ABI_OFFSET(uv_getaddrinfo_t, loop, 64);
ABI_OFFSET(uv_getaddrinfo_t, addrinfo, 144);

ABI_OFFSET(uv_getnameinfo_t, data, 0);
ABI_OFFSET(uv_getnameinfo_t, type, 8);
ABI_OFFSET(uv_getnameinfo_t, loop, 64);
ABI_OFFSET(uv_getnameinfo_t, host, 124 + ABI_STORAGE);
ABI_OFFSET(uv_getnameinfo_t, service, 124 + ABI_STORAGE + ABI_HOST_MAX);

ABI_OFFSET(uv_work_t, data, 0);
ABI_OFFSET(uv_work_t, type, 8);
ABI_OFFSET(uv_work_t, loop, 64);
ABI_OFFSET(uv_work_t, work_cb, 72);
ABI_OFFSET(uv_work_t, after_work_cb, 80);

ABI_OFFSET(uv_random_t, data, 0);
ABI_OFFSET(uv_random_t, type, 8);
ABI_OFFSET(uv_random_t, loop, 64);

ABI_OFFSET(uv_fs_t, data, 0);
ABI_OFFSET(uv_fs_t, type, 8);
ABI_OFFSET(uv_fs_t, fs_type, 64);
ABI_OFFSET(uv_fs_t, loop, 72);
ABI_OFFSET(uv_fs_t, cb, 80);
ABI_OFFSET(uv_fs_t, result, 88);
ABI_OFFSET(uv_fs_t, ptr, 96);
ABI_OFFSET(uv_fs_t, path, 104);
ABI_OFFSET(uv_fs_t, statbuf, 112);

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
ABI_OFFSET(uv_passwd_t, gid, 16);
ABI_OFFSET(uv_passwd_t, shell, 24);
ABI_OFFSET(uv_passwd_t, homedir, 32);

ABI_OFFSET(uv_buf_t, base, 0);
ABI_OFFSET(uv_buf_t, len, 8);

ABI_OFFSET(uv_process_options_t, exit_cb, 0);
ABI_OFFSET(uv_process_options_t, file, 8);
ABI_OFFSET(uv_process_options_t, args, 16);
ABI_OFFSET(uv_process_options_t, env, 24);
ABI_OFFSET(uv_process_options_t, cwd, 32);
ABI_OFFSET(uv_process_options_t, flags, 40);
ABI_OFFSET(uv_process_options_t, stdio_count, 44);
ABI_OFFSET(uv_process_options_t, stdio, 48);
ABI_OFFSET(uv_process_options_t, uid, 56);
ABI_OFFSET(uv_process_options_t, gid, 60);

ABI_OFFSET(uv_stdio_container_t, flags, 0);
ABI_OFFSET(uv_stdio_container_t, data, 8);

ABI_OFFSET(uv_thread_options_t, flags, 0);
ABI_OFFSET(uv_thread_options_t, stack_size, 8);

ABI_OFFSET(uv_group_t, groupname, 0);
ABI_OFFSET(uv_group_t, gid, 8);
ABI_OFFSET(uv_group_t, members, 16);

ABI_OFFSET(uv_lib_t, handle, 0);
ABI_OFFSET(uv_lib_t, errmsg, 8);

#endif
